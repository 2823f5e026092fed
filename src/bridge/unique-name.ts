/**
 * A name that no other process on the machine takes, and that sorts by time. Chance is enough for names: nobody else can
 * put anything into the folders that they are used in, and `node:crypto` takes milliseconds to load.
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
