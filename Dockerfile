FROM python:3.11.16-slim-trixie AS base

FROM base AS build
WORKDIR /source
COPY constraints/image.txt constraints/
RUN python -m venv /opt/deadwood \
    && /opt/deadwood/bin/pip install --no-cache-dir --compile --require-hashes -r constraints/image.txt
COPY pyproject.toml README.md LICENSE ./
COPY bot bot
COPY cogs cogs
COPY cardart cardart
RUN /opt/deadwood/bin/pip install --no-cache-dir --compile --no-deps --no-build-isolation .

FROM base
LABEL org.opencontainers.image.title="Deadwood" \
      org.opencontainers.image.description="Gin rummy with friends on Discord, played at your own pace" \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.licenses="MIT"
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin deadwood \
    && install -d -o deadwood -g deadwood /data
COPY --from=build /opt/deadwood /opt/deadwood
ENV PATH=/opt/deadwood/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    DEADWOOD_DATABASE_URL=sqlite:////data/deadwood.db \
    DEADWOOD_SANDBOX=never
USER deadwood
WORKDIR /data
VOLUME /data
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=10s --start-period=45s --retries=3 CMD ["deadwood", "health"]
ENTRYPOINT ["deadwood"]
