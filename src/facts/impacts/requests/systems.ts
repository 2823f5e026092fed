import { hostOf } from '../../../words/request.ts'
import { namesTrial } from '../../../words/names.ts'
import { type OutsideSystem, outsideSystems } from '../outside-systems.ts'

/** Ends of paths to which a search, a measure or an event is posted. */
const reads =
  /\/(?:search|query|queries|graphql|list|lookup|validate|preview|events?|track|identify|metrics|series|logs|input|intake|evaluate|tokens?|introspect|annotations)\/?$/i

/**
 * Returns the system at which one of several addresses is, unless what is sent there is for a try, or changes nothing.
 *
 * @param method `POST` at a list makes something anew, which counts where others get or pay it at once
 */
export function systemAt(urls: readonly string[], method: string): OutsideSystem | undefined {
  for (const url of urls) {
    const path = url.split(/[?#]/, 1)[0] ?? ''
    if (namesTrial(url) || reads.test(path)) continue
    const labels = hostOf(url).split('.').slice(0, -1)
    const found = outsideSystems.find(({ names }) => labels.some((label) => names.split(' ').includes(label)))
    if (found === undefined) continue
    const list = method === 'POST' ? /\/([a-z_-]+)s\/?$/i.exec(path)?.[1] : undefined
    if (list === undefined || found.made.split(' ').includes(list.toLowerCase())) return found
  }
  return undefined
}

/** True for a key of an account for tries, or the variable with it. */
export const namesTestKey = (text: string): boolean =>
  /\b[sr]k_test_|_(?:TEST|SANDBOX|STAGING)(?:_|\b)|\b(?:TEST|SANDBOX|STAGING)_/.test(text)
