/** Writes a number with its noun: "1 rule", "3 rules". */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`
