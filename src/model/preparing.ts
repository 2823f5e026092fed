/** An object that keeps what is derived from it: a plan, for example, is shared by all events of one kind. */
export abstract class Preparing {
  readonly #made = new Map<unknown, unknown>()

  /**
   * Returns what `make` derives from this object. It is derived at the first call only.
   *
   * @param make the key of the kept result, so it must not be created anew for each call
   */
  prepared<Made>(make: (owner: this) => Made): Made {
    // oxlint-disable-next-line no-unsafe-type-assertion -- set below, with what this very function returned
    if (this.#made.has(make)) return this.#made.get(make) as Made
    const made = make(this)
    this.#made.set(make, made)
    return made
  }
}
