import type { Deeds, GoingLive, LiveVerb } from './deeds.ts'

const area = 'going-live'

/** Makes the deeds of a program of which only these verbs put something in front of everybody at once; without any: none. */
export const liveByVerbs = (...verbs: readonly LiveVerb[]): Deeds => ({ area, live: { verbs } })

/** Makes the deeds of a program that is live at once by calls whose words do not say so, and by no others. */
export const liveBy = (by: RegExp, more: Omit<GoingLive, 'by'> = {}): Deeds => ({ area, live: { by, ...more } })

/** The same, of a program whose verbs mean what they mean elsewhere. */
export const liveAlsoBy = (by: RegExp, more: Omit<GoingLive, 'by'> = {}): Deeds =>
  liveBy(by, { verbs: ['publish', 'upload', 'deploy'], ...more })
