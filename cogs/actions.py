"""The actions of buttons and menus.

The values are part of custom ids, which old messages keep forever, so they must never change. The names of the members
are used only in the code, so they can change.
"""

from __future__ import annotations

from enum import StrEnum


class Action(StrEnum):
    """The action that a button or menu triggers."""

    # Challenges and lobbies.
    ACCEPT = "accept"
    ACCEPT_WITH_WORDS = "accept_words"
    """Opens a dialog for shuffle words. Submitting it triggers the same action. All `…_WORDS` work this way."""
    CHALLENGE_WORDS = "challenge_words"
    STOP_DMS = "accept_silently"
    WANT_DMS = "want_dms"
    STOP_DMS_OF_MATCH = "no_dms"
    DECLINE = "decline"
    WITHDRAW = "withdraw"
    CHALLENGE_RULES = "challenge_rules"
    CHALLENGE_MORE = "challenge_more"
    START_LOBBY = "start"
    CHANGE_TEAMS = "teams"
    LEAVE_LOBBY = "leave_lobby"
    INVITE_ANYWAY = "invite_anyway"
    """Reserves a place for a player whose own offer the challenger could accept instead."""
    COMPUTERS = "computers"
    ADD_COMPUTER = "add_computer"
    REMOVE_COMPUTER = "remove_computer"

    # The wizard that leads to a challenge or to practice.
    PLAY = "play"
    PLAY_WITH = "play_with"
    PLAY_COUNT = "play_count"
    PLAY_TARGET = "play_target"
    PLAY_RULES = "play_rules"
    PLAY_CLOCK = "play_clock"
    PLAY_COMPUTER = "play_computer"
    PLAY_BACK = "play_back"
    PRACTISE_LEVEL = "practise_level"

    # The deal of the day.
    DAILY = "daily"
    START_DAILY = "daily_start"
    SHARE_DAILY = "daily_share"
    DAILY_CALENDAR = "daily_calendar"
    DAILY_DAY = "daily_day"
    DAILY_STANDINGS = "daily_standings"
    STOP_DAILY = "daily_stop"
    """Stops the reminders of the deal of the day."""

    # Drafts of challenges.
    DRAFT_RULES = "draft_preset"
    DRAFT_CLOCK = "draft_clock"
    DRAFT_OPTION = "draft_knob"
    DRAFT_VALUE = "draft_value"
    DRAFT_SEND = "draft_send"
    DRAFT_DROP = "draft_drop"

    # Moves.
    DRAW = "draw"
    TAKE = "take"
    PASS = "pass"
    DISCARD = "discard"
    KNOCK = "knock"
    KNOCK_WITH_MELDS = "knock_as"
    GIN = "gin"
    BIG_GIN = "big"
    LAY_OFF = "layoff"
    LAY_OFF_ALL = "layoff_all"
    FINISH_LAYING_OFF = "done"

    # Questions to the player before a move.
    ASK_FIRST = "ask"
    OTHER_KNOCKS = "other_knocks"
    WHERE_TO_LAY_OFF = "layoff_where"

    # Arranging one's own cards.
    ARRANGE = "arrange"
    ARRANGE_BEFORE = "arrange_before"
    ARRANGE_BY_DEFAULT = "arrange_default"

    # Standing orders for a player's next turn.
    GIVE_ORDERS = "orders"
    UNDO_ORDERS = "undo_orders"

    HINT = "hint"

    # The lesson, and practice after it.
    LESSON = "lesson"
    PRACTISE = "practise"

    # Looking at a match.
    SHOW_HAND = "hand"
    REFRESH_HAND = "refresh"
    REPOST_TABLE = "table"
    SHOW_SCORE = "score"
    SHOW_RULES = "rules"
    LAST_MOVES = "moves"
    LAST_SHOWDOWN = "showdown"
    SHOWDOWN_DETAILS = "details"
    NEXT_DEAL = "next_deal"
    REPLAY = "replay"
    REPLAY_STEP = "replay_step"
    SHOW_REPLAY_TO_ALL = "replay_show"
    NEXT_MATCH = "next"
    OPEN_MATCH = "open"
    GIVE_TIME = "give_time"
    NUDGE = "nudge"
    REVIEW = "review"
    SHOW_REVIEW_TO_ALL = "review_show"

    # Leaving a match, and playing again.
    LEAVE_MATCH = "leave"
    RESIGN = "resign"
    CLAIM = "claim"
    CALL_OFF = "call_off"
    KEEP_PLAYING = "keep"
    PAUSE = "pause"
    CONTINUE = "continue"
    PLAY_ON = "play_on"
    """Continues with a computer in the vacant seat."""
    END_INSTEAD = "end_instead"
    STAY = "stay"
    TAKE_BACK = "back"
    """Asks to take a discard back, or agrees to that."""
    REMATCH = "rematch"
    WITHDRAW_REMATCH = "take_back"
    DECLINE_REMATCH = "no_rematch"

    # Verifying deals.
    MATCH_WORDS = "match_words"
    VERIFY = "verify"
    SHOW_VERIFIED_TO_ALL = "verify_show"
    HOW_VERIFIED = "how_verified"

    # The list of a person's matches, which links to everything else.
    GAMES = "games"

    # Leaderboard and profile.
    LEADERBOARD = "standing"
    ACTIVITY = "activity"
    PROFILE = "profile"

    # Finished matches: head-to-head results, history, and server records.
    VERSUS = "versus"
    VERSUS_PERSON = "versus_person"
    HISTORY = "history"
    PAST_MATCH = "past_match"
    REPLAY_DEAL = "replay_deal"
    MATCH_RECORD = "record"
    SERVER_RECORDS = "records"
    DECKS = "fair"
    DECKS_EXPLAINED = "fair_how"

    # Preferences and privacy.
    OPEN_PREFERENCE = "preference"
    PREFER_HAND = "prefer_hand"
    PREFER_PUSH = "prefer_push"
    PREFER_CHALLENGERS = "prefer_challengers"
    PREFER_PROFILE = "prefer_profile"
    PREFER_AVATAR = "prefer_avatar"
    PREFER_APPEARANCE = "prefer_look"
    PREFER_ORDER = "prefer_order"
    PREFER_CONFIRMATIONS = "prefer_asking"
    PREFER_DRAWING = "prefer_drawing"
    PREFER_LANGUAGE = "prefer_names"
    PREFER_REMINDERS = "prefer_reminders"
    PREFER_NUDGES = "prefer_nudges"
    PREFER_DAILY = "prefer_daily"
    PREFER_TAKE_BACKS = "prefer_back"
    PREFER_QUIET_HOURS = "prefer_quiet"
    ASK_TIME_ZONE = "ask_zone"
    PREFER_TIME_ZONE = "prefer_zone"
    TAKE_HOLIDAY = "holiday"
    COME_BACK = "come_back"
    BLOCK = "block"
    UNBLOCK = "unblock"
    CHANGE_BLOCKED = "change_blocked"
    """Blocks people who are added to a menu's choices, and unblocks those who are removed."""
    TRY_DMS = "try_dms"
    PRIVACY = "privacy"
    EXPORT = "export"
    FORGET = "forget"
    FORGET_NOW = "forget_now"

    # Managing a server.
    OPEN_SETTING = "setting"
    SET_RULES = "set_rules"
    SET_TARGET = "set_target"
    SET_CLOCK = "set_clock"
    SET_OFFERED = "set_offered"
    SET_CHANNELS = "set_channels"
    SET_HOME = "set_home"
    SET_SEASONS = "set_seasons"
    SET_SEASON_CHANNEL = "set_season_channel"
    SET_DAILY_CHANNEL = "set_daily_channel"
    SET_DAILY_HOUR = "set_daily_hour"
    SET_APPEARANCE = "set_look"
    SET_LANGUAGE = "set_names"
    END_MATCH = "end_match"
    END_MATCH_NOW = "end_now"
    RESET_LEADERBOARD_NOW = "reset_now"
    REMOVE_RULES_NOW = "remove_rules_now"
    CHANGE_NOTHING = "nothing"


class Subject(StrEnum):
    """A word that stands in a custom id in place of the id of a match or challenge."""

    CHOSEN = "which"
    """Stands for the match or challenge that the person chooses in the menu."""
    MENU = "menu"
    """Used in buttons for no particular match or challenge that open a new message and leave the old one unchanged."""
    SELF = "me"
    """Stands for the person who uses the component."""
    SERVER = "admin"
    LEADERBOARD = "standing"
