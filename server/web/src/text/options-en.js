// The texts about all options of a game, in English. The same keys as options-de.js.

/** The texts of the options, in English. */
export const optionsEn = {
  end: (/** @type {Record<string, any>} */ e) => {
    const turns = {
      scoreless: 'turns without points', passes: 'passes', without_score: 'turns without points',
    }[/** @type {string} */ (e.counts)] ?? 'turns';
    const by = e.per_seat ? ' by each player' : '';
    const once = e.unless_all_zero ? ', once somebody has points' : '';
    return `${e.limit} ${turns} in a row${by}${once}`;
  },
  ties: { before_adjustment: 'the score before the tiles left were counted decides', stand: 'the win is shared' },
  /** The challenge rules in a sentence each. */
  challengeKinds: /** @type {Record<string, [string, string]>} */ ({
    void: ['Words are checked', 'A play with a word that is not in the lexicon is refused. Nothing is lost.'],
    single: ['Free challenge', 'Any play is accepted. A wrong challenge costs nothing; a challenged phony comes off.'],
    double: ['Double challenge', 'Any play is accepted. Challenge a play that is good, and you lose your next turn.'],
    five_point: ['5 points', 'Any play is accepted. Challenge a play that is good, and it costs you 5 points.'],
    ten_point: ['10 points', 'Any play is accepted. Challenge a play that is good, and it costs you 10 points.'],
    triple: ['Triple challenge', 'Any play is accepted. Whoever is wrong in a challenge loses the game.'],
  }),
  form: {
    title: 'Options', apply: 'Use these options', usual: 'Usual', yes: 'yes', no: 'no',
    groups: { words: 'Words', clock: 'Time', challenge: 'Challenges', end: 'End of the game', other: 'Other' },
    minutes: 'min', seconds: 's', hours: 'h', points: 'points', turns: 'turns',
  },
  /** Label and explanation of each option, by its path. */
  options: /** @type {Record<string, [string, string]>} */ ({
    lexicon: ['Lexicon', 'The list of words that decides challenges.'],
    level: ['Your level', 'It decides which score you have to reach.'],
    'clock.kind': ['Kind of clock', ''],
    'clock.initial_ms': ['Time', 'What each player has for the whole game.'],
    'clock.increment_ms': ['Increment', 'Added to the time after each turn.'],
    'clock.delay_ms': ['Delay', 'Free time at the start of each turn.'],
    'clock.penalty_per_minute': ['Cost of overtime', 'Taken off for each minute begun.'],
    'clock.cap_ms': ['Overtime at most', 'Who needs more loses.'],
    'clock.limit_ms': ['Time for a turn', 'Who needs more loses.'],
    'clock.bank_ms': ['Reserve', 'Extra time for the whole game, used when a turn takes longer.'],
    'challenge.kind': ['Rule', ''],
    'challenge.window_ms': ['Time to challenge', 'For how long, unless the next turn comes before. 0: no limit.'],
    'challenge.per_word': ['Points for each word', 'A wrong challenge costs the points once for each word.'],
    'challenge.consent': ['Ask the author first', 'A challenged play may be taken back before the lexicon decides.'],
    'end.limit': ['Turns in a row', 'So many without progress end the game.'],
    'end.per_seat': ['By each player', 'The number counts for each player, not for all together.'],
    'end.counts': ['What counts', ''],
    'end.unless_all_zero': ['Not before the first points', 'They do not count while nobody has a point.'],
    all_played: ['End when nobody can play', 'With an empty bag, the game ends when there is no legal play.'],
    uncatchable: ['End when the lead is safe', 'With an empty bag, it ends when the trailing player cannot catch up.'],
    ties: ['Ties', 'What decides between equal scores.'],
    vacation: ['Vacations', 'A vacation of a player moves the player’s deadlines.'],
    rated: ['Rated', 'The game changes the ratings of both players.'],
    first: ['First turn', 'Who plays first.'],
    vanish_claim_ms: ['Wait for a player who is away', 'After that, the opponents can claim the game.'],
    vanish: ['When a player stays away', 'What follows when the wait is over.'],
    'spectators.delay_ms': ['Delay for spectators', 'How much later than it happens they see the game. 0: at once.'],
    'spectators.racks': ['Open racks', 'Spectators see all racks; this needs a delay of a minute or more.'],
  }),
  /** The values of the options that are choices. */
  values: /** @type {Record<string, string>} */ ({
    overtime: 'Overtime at a price', sudden_death: 'Sudden death', increment: 'Increment', delay: 'Delay',
    per_move: 'A limit for each turn', untimed: 'No clock',
    void: 'Words are checked', single: 'Free challenge', double: 'Double: costs a turn', five_point: '5 points',
    ten_point: '10 points', triple: 'Triple: costs the game',
    scoreless: 'Turns without points', passes: 'Passes', without_score: 'Turns without points, plays worth 0 too',
    before_adjustment: 'The score before the tiles left', stand: 'A tie stands', draw: 'By drawing tiles',
    claim: 'The opponent can claim', adjourn: 'The game is adjourned, once', play_on: 'The clock decides',
    owner: 'Who makes the offer', beginner: 'Beginner', intermediate: 'Intermediate', expert: 'Expert',
  }),
  /** Names of languages of tiles and lexica. */
  languages: /** @type {Record<string, string>} */ ({
    english: 'English', catalan: 'Catalan', danish: 'Danish', dutch: 'Dutch', french: 'French', german: 'German',
    norwegian: 'Norwegian', polish: 'Polish', portuguese: 'Portuguese', slovene: 'Slovene', spanish: 'Spanish',
    swedish: 'Swedish',
  }),
};
