import { sha256Of } from '../files/digest.ts'

/**
 * Returns a text that is equal for calls that are the same but for what changes by itself from one try to the next:
 * numbers, times, random names, and how much white space there is.
 *
 * @param text the call as people are shown it, secrets masked
 */
export const callKey = (tool: string, text: string): string =>
  sha256Of(`${tool}\n${sameText(text)}`).slice(0, keyCharacters)

/** 64 bits: a session has some thousands of calls. */
const keyCharacters = 16

const sameText = (text: string): string =>
  text
    .replaceAll(uuid, '#')
    .replaceAll(isoMoment, '#')
    .replaceAll(hexadecimal, '#')
    .replaceAll(longNumber, '#')
    .replaceAll(/\s+/g, ' ')
    .trim()

const uuid = /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi
const isoMoment = /\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?Z?)?/g
/** Seven digits of a commit, or more, of which one is a digit and one is a letter. */
const hexadecimal = /\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,64}\b/gi
/** Times and ids of processes; not line numbers, of which a person reads one after the other. */
const longNumber = /\d{6,}/g
