export const numberText = (count: number): string => count.toLocaleString('en')

/** Writes a number with its noun: "1 rule", "1,200 rules". */
export const counted = (count: number, one: string): string => `${numberText(count)} ${count === 1 ? one : `${one}s`}`
