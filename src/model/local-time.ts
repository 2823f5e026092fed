// Days and times as the person's own clock has them: everything that is printed is in this one time zone.

/** Returns a moment's day. */
export function dayOf(atMs: number): string {
  const at = new Date(atMs)
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}

/** Formats a moment to the minute. */
export function localTime(atMs: number): string {
  const at = new Date(atMs)
  return `${dayOf(atMs)} ${two(at.getHours())}:${two(at.getMinutes())}`
}

/** Formats a moment to the second, without its year. */
export function localMoment(atMs: number): string {
  return `${localTime(atMs).slice('2026-'.length)}:${two(new Date(atMs).getSeconds())}`
}

const two = (number: number) => String(number).padStart(2, '0')
