/** Writes a number with its noun: "1 rule", "3 rules", "1,200 rules". */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${grouped(count)} ${count === 1 ? noun : plural}`

/** Writes a number with a comma at each thousand. */
export const grouped = (count: number): string => String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
