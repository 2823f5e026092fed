import { hiddenValuesMax, hideSecrets, isEnvFile } from '../mask/hide.ts'
import { hasRandomPart } from '../mask/random.ts'
import { looksRandom } from '../mask/value.ts'
import type { HookEvent } from '../model/event.ts'
import type { Json } from '../model/json.ts'
import type { FactRequest, FactValue } from '../model/policy.ts'
import type { TouchedPath } from '../model/shell.ts'
import type { ToolFacts } from '../model/tool-facts.ts'

/** Looks up the texts of files in the workspace. */
type Read = (requests: readonly FactRequest[]) => Promise<readonly FactValue[]>

/**
 * Hides the secrets in what a call has returned: by their forms and names, and the values of the files of variables that
 * the call has read. @returns `{ output, hidden }`, or `null` if there are none
 */
export async function hiddenSecrets(
  result: HookEvent['result'],
  command: string | undefined,
  found: ToolFacts | undefined,
  read: Read,
): Promise<Json> {
  if (result?.output === undefined && result?.error === undefined) return null
  const { commands = [] } = found?.shell ?? {}
  const files = (found?.paths ?? []).filter(
    ({ access, metadata, recursive, written }) =>
      access === 'read' && metadata !== true && recursive !== true && !written.startsWith('-'),
  )
  const source = {
    showsSecrets:
      found?.impacts.some(({ kind, thing }) => kind === 'show' && thing === 'secret') === true ||
      files.some(({ written }) => isEnvFile(written)),
    values: await valuesOf(files, read),
    file: files.length === 1 ? shownPath(files[0]) : undefined,
    command: commands.length === 1 ? command?.trim() : undefined,
    listsVariables: commands.some(({ program }) => listing.has(program)),
  }
  const shown = result.output === undefined ? undefined : hideSecrets(result.output, source)
  if (shown !== undefined) return { output: shown.output, hidden: [...shown.hidden] }
  const error = result.error === undefined ? undefined : hideSecrets(result.error, source)
  return error === undefined ? null : { hidden: [...error.hidden] }
}

/** Programs that print variables by their names. */
const listing: ReadonlySet<string> = new Set('env printenv export declare typeset set compgen'.split(' '))

const shownPath = (path: TouchedPath | undefined): string | undefined => path?.inRoot || path?.written

/** Reads what the files of variables say that a call has read. */
async function valuesOf(files: readonly TouchedPath[], read: Read) {
  const requests = files.flatMap(({ root, inRoot, unresolved, written }): FactRequest[] =>
    root !== undefined && inRoot !== undefined && unresolved !== true && isEnvFile(written)
      ? [{ declaration: { text: inRoot }, root, trusted: true }]
      : [],
  )
  if (requests.length === 0) return []
  const texts = await read(requests.slice(0, filesMax))
  return texts.flatMap((text, at) => {
    const declaration = requests[at]?.declaration
    const file = declaration !== undefined && 'text' in declaration ? declaration.text : ''
    if (!('value' in text) || typeof text.value !== 'string') return []
    const lines = [
      ...text.value.matchAll(/^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*=[ \t]*(["']?)(.*?)\2[ \t]*\r?$/gm),
    ]
    return lines
      .flatMap(([, name = '', , value = '']) => (isSecretValue(value) ? [{ name, value, file }] : []))
      .slice(0, hiddenValuesMax)
  })
}
/** Files of variables that one call reads. */
const filesMax = 8

/** Addresses and versions are none; a password in an address is known by its place. */
const isSecretValue = (value: string): boolean => !value.includes('://') && (looksRandom(value) || hasRandomPart(value))
