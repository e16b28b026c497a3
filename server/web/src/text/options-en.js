// The texts about all options of a game, in English. The same keys as options-de.js.

/** The texts of the options, in English. */
export const optionsEn = {
  end: (/** @type {Record<string, any>} */ e) => {
    const turns = {
      scoreless: 'scoreless turns', passes: 'passes', without_score: 'scoreless turns',
    }[/** @type {string} */ (e.counts)] ?? 'turns';
    const by = e.per_seat ? ' per player' : '';
    const once = e.unless_all_zero ? ', once someone has scored' : '';
    return `${e.limit} ${turns} in a row${by}${once}`;
  },
  ties: { before_adjustment: 'the score before the rack adjustment decides', stand: 'the game is a tie' },
  /** The challenge rules in a sentence each. */
  challengeKinds: /** @type {Record<string, [string, string]>} */ ({
    void: ['Words are checked', 'Plays with words that are not valid are rejected at no cost.'],
    single: ['Single challenge', 'Any play is accepted. A challenged phony is removed; a wrong challenge has no penalty.'],
    double: ['Double challenge', 'Any play is accepted. If you challenge a valid play, you lose your next turn.'],
    five_point: ['5 points', 'Any play is accepted. If you challenge a valid play, it costs you 5 points.'],
    ten_point: ['10 points', 'Any play is accepted. If you challenge a valid play, it costs you 10 points.'],
    triple: ['Triple challenge', 'Any play is accepted. A challenge decides the game: whoever is wrong loses.'],
  }),
  form: {
    title: 'Options', apply: 'Apply', usual: 'Default', yes: 'yes', no: 'no',
    groups: { words: 'Words', clock: 'Time', challenge: 'Challenges', end: 'End of the game', other: 'Other' },
    minutes: 'min', seconds: 's', hours: 'h', points: 'points', turns: 'turns',
  },
  /** Label and explanation of each option, by its path. */
  options: /** @type {Record<string, [string, string]>} */ ({
    lexicon: ['Lexicon', 'The word list that decides which words are valid.'],
    level: ['Your level', 'Sets the score you have to reach.'],
    'clock.kind': ['Clock', ''],
    'clock.initial_ms': ['Time', 'For each player, for the whole game.'],
    'clock.increment_ms': ['Increment', 'Added after each turn.'],
    'clock.delay_ms': ['Delay', 'The clock starts this much later in each turn.'],
    'clock.penalty_per_minute': ['Overtime penalty', 'Deducted for each minute started.'],
    'clock.cap_ms': ['Overtime limit', 'You lose when you exceed it.'],
    'clock.limit_ms': ['Time per turn', 'You lose when you exceed it.'],
    'clock.bank_ms': ['Time bank', 'Extra time for the whole game, used when a turn takes longer.'],
    'challenge.kind': ['Rule', ''],
    'challenge.window_ms': ['Challenge window', 'Closes early when the next turn is played. 0: no limit.'],
    'challenge.per_word': ['Points per word', 'A wrong challenge costs the points for each challenged word.'],
    'challenge.consent': ['Allow withdrawal', 'A challenged play can be withdrawn before the lexicon decides.'],
    'end.limit': ['Scoreless turns to end the game', 'Counted in a row.'],
    'end.per_seat': ['Count per player', 'The limit applies to each player, not to all players together.'],
    'end.counts': ['What counts', ''],
    'end.unless_all_zero': ['Only after the first score', 'Not counted until someone has scored.'],
    all_played: ['End when nobody can play', 'Once the bag is empty, the game ends when no play is possible.'],
    uncatchable: ['End when the lead is out of reach', 'Once the bag is empty, the game ends when the lead can no longer be caught.'],
    ties: ['Ties', 'How equal scores are decided.'],
    vacation: ['Vacation', 'Deadlines are extended while a player is on vacation.'],
    hints: ['Hints', 'Plays that each player can be shown.'],
    rated: ['Rated', 'The game counts towards both players’ ratings.'],
    first: ['First turn', 'Who plays first.'],
    vanish_claim_ms: ['Wait for a disconnected player', 'After that, the opponents can claim the win.'],
    vanish: ['If a player disconnects', 'What happens when the wait is over.'],
    'spectators.delay_ms': ['Spectator delay', 'Spectators see the game this much later. 0: live.'],
    'spectators.racks': ['Open racks', 'Spectators see all racks. Needs a delay of at least one minute.'],
  }),
  /** The values of the options that are choices. */
  values: /** @type {Record<string, string>} */ ({
    overtime: 'Overtime with penalty', sudden_death: 'Sudden death', increment: 'Increment', delay: 'Delay',
    per_move: 'Time per turn', untimed: 'Untimed',
    void: 'Words are checked', single: 'Single: no penalty', double: 'Double: costs a turn', five_point: '5 points',
    ten_point: '10 points', triple: 'Triple: costs the game',
    scoreless: 'Scoreless turns', passes: 'Passes', without_score: 'Scoreless turns, including 0-point plays',
    before_adjustment: 'Score before the rack adjustment', stand: 'The game is a tie', draw: 'Random draw',
    claim: 'The opponent can claim the win', adjourn: 'The game is adjourned (once)', play_on: 'The clock decides',
    owner: 'Game creator', beginner: 'Beginner', intermediate: 'Intermediate', expert: 'Expert',
  }),
  /** Names of languages of tiles and lexica. */
  languages: /** @type {Record<string, string>} */ ({
    english: 'English', catalan: 'Catalan', danish: 'Danish', dutch: 'Dutch', french: 'French', german: 'German',
    norwegian: 'Norwegian', polish: 'Polish', portuguese: 'Portuguese', slovene: 'Slovene', spanish: 'Spanish',
    swedish: 'Swedish',
  }),
};
