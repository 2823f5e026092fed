/** Bounds on what is read in the code of another language. */
export const codeLimits = {
  /** UTF-16 units: more is a program, not a line somebody typed; what is behind is not read, and that is said. */
  textMax: 32_768,
  /** Brackets within brackets: deeper is no code that a person wrote, and the reader calls itself for each. */
  depthMax: 48,
  /** Texts that code runs as code, in each other: `exec` in `exec`. */
  textsDepthMax: 8,
  /** Expressions that are read, those within texts and those that are read twice among them. */
  stepsMax: 10_000,
  /** Values that one variable may have at once: the elements of a list that a loop goes through. */
  alternativesMax: 32,
  /** Elements of one list: `a = a + a` doubles with each step. */
  itemsMax: 256,
  /** Calls of one function whose arguments are read for what its parameters are: each reads them once more. */
  callsMax: 64,
  /** Names that one assignment sets: each is looked for anew where the text turns out to be none. */
  targetsMax: 256,
  /** Paths and starts of one piece of code. */
  findingsMax: 128,
  /** UTF-16 units of one value: longer ones are data, and putting them together is work without end. */
  valueMax: 2048,
  /** UTF-16 units of a dotted name. No name that is known is half as long. */
  nameMax: 128,
} as const
