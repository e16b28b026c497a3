// Presses and drags on board and rack, by mouse, pen or finger. A drag begins after 8 px; the tile that is dragged is
// one element that is moved once in each frame. Nothing here knows what a drop means.

const DRAG_AFTER_PX = 8;
/** How long after a tap its click can come. */
const CLICK_AFTER_TAP_MS = 1000;
const LIFT_FOR_TOUCH_PX = 40;

/**
 * A square of the board or a place of the rack.
 *
 * @typedef {{ square?: number, place?: number }} Spot
 *
 * @typedef {object} PointerActs
 * @property {(spot: Spot) => boolean} canDrag Whether a tile lies there that the player may move.
 * @property {(spot: Spot) => { width: number, node: HTMLElement }} lift Makes the element that follows the pointer.
 * @property {(spot: Spot) => void} tap
 * @property {(spot: Spot) => void} start A drag begins.
 * @property {(x: number, y: number) => void} move Once a frame, where the tile is.
 * @property {(from: Spot, to: Spot | undefined) => void} drop
 * @property {() => void} cancel
 * @property {(square: number) => void} menu A right click on a square.
 * @property {(dx: number, dy: number) => boolean} pan A drag of the board itself; false if it does not move.
 */

/**
 * Listens on an element that has board and rack in it.
 *
 * @param {HTMLElement} root
 * @param {PointerActs} acts
 * @returns {{ cancel(): boolean, close(): void }} `cancel` says whether there was something to call off.
 */
export function listenToPointer(root, acts) {
  /** @type {Press | undefined} */
  let press;

  /** @param {PointerEvent} event */
  const down = (event) => {
    if (press || event.button !== 0 || !event.isPrimary) return;
    const spot = pointerSpot(event.target);
    if (spot) press = new Press(event, spot, root, acts);
  };
  /** @param {PointerEvent} event */
  const move = (event) => {
    if (press?.id === event.pointerId) press.move(event);
  };
  /** @param {PointerEvent} event */
  const up = (event) => {
    if (press?.id !== event.pointerId) return;
    const ended = press;
    press = undefined;
    ended.up(event);
  };
  const cancel = () => {
    const wasDragging = press?.isDragging ?? false;
    press?.end();
    press = undefined;
    if (wasDragging) acts.cancel();
    return wasDragging;
  };
  /** @param {Event} event */
  const menu = (event) => {
    const spot = pointerSpot(event.target);
    if (spot?.square === undefined || !acts.canDrag(spot)) return;
    event.preventDefault();
    if (!press?.isDragging) acts.menu(spot.square);
  };
  root.addEventListener('pointerdown', down);
  root.addEventListener('pointermove', move);
  root.addEventListener('pointerup', up);
  root.addEventListener('pointercancel', cancel);
  root.addEventListener('contextmenu', menu);
  return { cancel, close: cancel };
}

/** One press, from going down to coming up. */
class Press {
  /**
   * @param {PointerEvent} event
   * @param {Spot} spot
   * @param {HTMLElement} root
   * @param {PointerActs} acts
   */
  constructor(event, spot, root, acts) {
    this.id = event.pointerId;
    this.spot = spot;
    this.root = root;
    this.acts = acts;
    this.canDrag = acts.canDrag(spot);
    this.lift = event.pointerType === 'touch' ? LIFT_FOR_TOUCH_PX : 0;
    this.startX = event.clientX;
    this.startY = event.clientY;
    this.x = event.clientX;
    this.y = event.clientY;
    this.isDragging = false;
    this.isPanning = false;
    this.frame = 0;
    this.half = 0;
    /** @type {HTMLElement | undefined} */
    this.node = undefined;
    /** @type {Element | undefined} */
    this.over = undefined;
  }

  /** @param {PointerEvent} event */
  move(event) {
    const [dx, dy] = [event.clientX - this.x, event.clientY - this.y];
    const isFar = Math.hypot(event.clientX - this.startX, event.clientY - this.startY) >= DRAG_AFTER_PX;
    [this.x, this.y] = [event.clientX, event.clientY];
    if (!this.isDragging && !this.isPanning && isFar) {
      if (this.canDrag) this.#begin();
      else this.isPanning = this.spot.square !== undefined;
    }
    if (this.isPanning) this.acts.pan(dx, dy);
  }

  #begin() {
    this.isDragging = true;
    this.root.setPointerCapture(this.id);
    const { node, width } = this.acts.lift(this.spot);
    this.half = width / 2;
    this.node = node;
    this.acts.start(this.spot);
    this.#place();
    document.body.append(node);
    document.documentElement.classList.add('dragging');
    this.frame = requestAnimationFrame(() => this.#paint());
  }

  /** Looks at the page before it changes it, so that a frame has one layout. */
  #paint() {
    const y = this.y - this.lift;
    const under = document.elementFromPoint(this.x, y)?.closest('[data-square], [data-place]') ?? undefined;
    this.#place();
    this.acts.move(this.x, y);
    if (under !== this.over) {
      this.over?.classList.remove('over');
      under?.classList.add('over');
      this.over = under;
    }
    this.frame = requestAnimationFrame(() => this.#paint());
  }

  /** Moves the tile to the pointer. */
  #place() {
    if (!this.node) return;
    const y = this.y - this.lift;
    this.node.style.transform = `translate(${this.x - this.half}px, ${y - this.half}px)`;
  }

  /** @param {PointerEvent} event */
  up(event) {
    if (this.isDragging) {
      const at = document.elementFromPoint(event.clientX, event.clientY - this.lift);
      const below = this.lift ? document.elementFromPoint(event.clientX, event.clientY) : at;
      this.end();
      // A finger on the rack means the rack, wherever the lifted tile is.
      const to = pointerSpot(below)?.place !== undefined ? pointerSpot(below) : (pointerSpot(at) ?? pointerSpot(below));
      this.acts.drop(this.spot, to);
      return;
    }
    const isMoved = Math.hypot(event.clientX - this.startX, event.clientY - this.startY) >= DRAG_AFTER_PX;
    if (isMoved || this.isPanning) return;
    if (this.lift > 0) pointerSwallowsClick();
    this.acts.tap(this.spot);
  }

  /** Puts everything back as it was before the press. */
  end() {
    cancelAnimationFrame(this.frame);
    this.node?.remove();
    this.node = undefined;
    this.over?.classList.remove('over');
    document.documentElement.classList.remove('dragging');
    if (this.isDragging && this.root.hasPointerCapture(this.id)) this.root.releasePointerCapture(this.id);
  }
}

/**
 * A browser makes a click of a tap some time later, or none. It must not reach what the tap has opened under the finger,
 * but the click of the next press and a click from the keyboard must.
 */
function pointerSwallowsClick() {
  const ended = new AbortController();
  const end = () => ended.abort();
  /** @param {MouseEvent} event */
  const swallow = (event) => {
    if (event.detail === 0) return;
    event.preventDefault();
    event.stopPropagation();
    end();
  };
  const options = { capture: true, signal: ended.signal };
  document.addEventListener('click', swallow, options);
  document.addEventListener('pointerdown', end, options);
  setTimeout(end, CLICK_AFTER_TAP_MS);
}

/**
 * The square or place that an element belongs to.
 *
 * @param {EventTarget | null} target
 * @returns {Spot | undefined}
 */
function pointerSpot(target) {
  const node = target instanceof Element ? target.closest('[data-square], [data-place]') : null;
  if (!(node instanceof HTMLElement)) return undefined;
  const { square, place } = node.dataset;
  return square !== undefined ? { square: Number(square) } : { place: Number(place) };
}
