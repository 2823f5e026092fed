import { createHash, timingSafeEqual } from 'node:crypto'

/** Compares in constant time. Hashing makes the lengths equal, as `timingSafeEqual` needs it, and hides them. */
export const isSameSecret = (given: string, wanted: string): boolean => timingSafeEqual(digest(given), digest(wanted))

const digest = (text: string) => createHash('sha256').update(text).digest()
