// Five short dry sounds, like wood on wood, made by the browser itself. Never two at once.

/** @typedef {'tile' | 'play' | 'turn' | 'challenge' | 'over'} SoundName */

/**
 * The knocks of each sound: when, how high, how loud and how long.
 *
 * @type {Record<SoundName, [number, number, number, number][]>}
 */
const SOUND_KNOCKS = {
  tile: [[0, 1150, 0.35, 0.05]],
  play: [[0, 820, 0.4, 0.07], [0.07, 980, 0.4, 0.08]],
  turn: [[0, 660, 0.4, 0.1], [0.12, 880, 0.45, 0.14]],
  challenge: [[0, 440, 0.5, 0.09], [0.09, 440, 0.5, 0.12]],
  over: [[0, 660, 0.4, 0.09], [0.09, 520, 0.4, 0.09], [0.18, 390, 0.45, 0.12]],
};

/** @type {Record<SoundName, number>} */
/** The longest wait of the first sound for a pause of the page. */
const SOUND_WAIT_MS = 300;
const SOUND_RANK = { tile: 0, play: 1, turn: 2, challenge: 3, over: 4 };

/**
 * Makes the sounds. The browser allows them after the first press only; until then they are dropped.
 *
 * @param {() => boolean} isOn Whether the player wants to hear them.
 * @returns {{ play(name: SoundName): void, close(): void }}
 */
export function createSounds(isOn) {
  /** @type {AudioContext | undefined} */
  let context;
  /** @type {SoundName | undefined} The sound that waits for the first context. */
  let first;
  let isClosed = false;
  let until = 0;
  let rank = -1;

  /** @type {(name: SoundName, on: AudioContext) => void} */
  const knock = (name, on) => {
    const now = on.currentTime;
    if (now < until && SOUND_RANK[name] <= rank) return;
    if (on.state === 'suspended') on.resume().catch(() => {});
    const start = Math.max(now, until) + 0.005;
    for (const part of SOUND_KNOCKS[name]) soundKnock(on, start, part);
    until = start + 0.3;
    rank = SOUND_RANK[name];
  };
  const begin = () => {
    if (isClosed || !first) return;
    context = new AudioContext();
    knock(first, context);
    first = undefined;
  };

  return {
    play(name) {
      if (!isOn() || typeof AudioContext === 'undefined' || !navigator.userActivation?.hasBeenActive) return;
      if (context) knock(name, context);
      else if (!first) {
        first = name;
        soundWhenIdle(begin);
      } else if (SOUND_RANK[name] > SOUND_RANK[first]) first = name;
    },
    close() {
      isClosed = true;
      context?.close().catch(() => {});
      context = undefined;
    },
  };
}

/**
 * The first context of a browser takes 0.1 s, so it waits until the page has shown what the sound is about.
 *
 * @param {() => void} act
 */
function soundWhenIdle(act) {
  if ('requestIdleCallback' in window) requestIdleCallback(act, { timeout: SOUND_WAIT_MS });
  else setTimeout(act, SOUND_WAIT_MS);
}

/**
 * One knock: a tone that dies at once, with a little of its upper partial, through a filter that takes the ring away.
 *
 * @param {AudioContext} context
 * @param {number} start
 * @param {[number, number, number, number]} knock
 */
function soundKnock(context, start, [delay, pitch, loudness, length]) {
  const at = start + delay;
  const gain = context.createGain();
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(loudness, at + 0.002);
  gain.gain.exponentialRampToValueAtTime(0.001, at + length);
  const filter = context.createBiquadFilter();
  filter.type = 'bandpass';
  filter.frequency.value = pitch;
  filter.Q.value = 1.4;
  filter.connect(gain).connect(context.destination);
  for (const [ratio, type] of /** @type {[number, OscillatorType][]} */ ([[1, 'triangle'], [2.76, 'sine']])) {
    const tone = context.createOscillator();
    tone.type = type;
    tone.frequency.setValueAtTime(pitch * ratio, at);
    tone.frequency.exponentialRampToValueAtTime(pitch * ratio * 0.8, at + length);
    tone.connect(filter);
    tone.start(at);
    tone.stop(at + length + 0.02);
  }
}
