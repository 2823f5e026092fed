/**
 * Returns a name that is unique on this machine and sorts by time. `Math.random` suffices, because no other user can
 * write to the folders where the names are used; and `node:crypto` takes milliseconds to load.
 */
export function uniqueName(): string {
  const us = Math.floor((performance.timeOrigin + performance.now()) * 1000)
  return `${String(us).padStart(17, '0')}-${chance()}${chance()}`
}
export const uniqueNamePattern = /^\d{17}-[\da-z]{20}$/

function chance(): string {
  const number = Math.floor(Math.random() * 2 ** 48)
  return number.toString(36).padStart(10, '0')
}
