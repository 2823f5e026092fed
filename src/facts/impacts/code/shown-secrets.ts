import type { Impact, ImpactArea } from '../../../model/impact.ts'
import { isSecretName } from '../../../words/names.ts'
import { showsEnvironment, showsVariables } from '../../../words/variables.ts'

/** Methods of client libraries that return a secret. */
const methods: readonly (readonly [area: ImpactArea, object: string, method: RegExp])[] = [
  ['aws', 'AWS secret', /\b(?:batch_)?get_secret_value\s*\(|\bgetSecretValue\s*\(|\bGetSecretValueCommand\s*\(/],
  [
    'aws',
    'AWS secret',
    /\bget_parameters?(?:_by_path)?\s*\([^)]{0,200}\bWithDecryption\s*=\s*True|\bGetParameters?(?:ByPath)?Command\s*\([^)]{0,200}\bWithDecryption\s*:\s*true/,
  ],
  ['google-cloud', 'Google Cloud secret', /\baccess_?secret_?version\s*\(/i],
  ['azure', 'Azure secret', /\bsecret_?client\b[^;\n]{0,200}\.get_?secret\s*\(/i],
  ['secret-stores', 'Vault secret', /\bread_secret(?:_version)?\s*\(|\bvault\.read\s*\(/],
  ['kubernetes', 'Kubernetes secret', /\bread_?namespaced_?secret\s*\(/i],
  ['secret-stores', 'keyring password', /\bkeyring\.get_?password\s*\(/i],
]

/** Matches a call that prints, with the rest of its statement. */
const printing = /(?:\bconsole\.\w+|\bstdout\.write|\b(?:print\w*|puts|pp?|echo|display|die))\b([^]*)/
const identifiers = () => /[A-Za-z_$][\w$]*/g
/** Statements of one code that are read. Code that prints a secret has fewer. */
const statementsMax = 200

/** True if code prints the result of a method, or a value that it derives from the result. */
function isPrinted(code: string, method: RegExp): boolean {
  const holders = new Set<string>()
  const holds = (text: string) =>
    method.test(text) || (text.match(identifiers()) ?? []).some((name) => holders.has(name))
  const statements = code.split(/[;\n]/).slice(0, statementsMax)
  // Two rounds, since a name may be used before the statement from which it gets the secret.
  for (let round = 0; round < 2; round++)
    for (const statement of statements) {
      const [, bound, to = ''] = /(?<![\w$])([\w$]+)\s*=(?![=>])([^]*)/.exec(statement) ?? []
      if (bound !== undefined && holds(to)) holders.add(bound)
      if (!method.test(statement)) continue
      for (const [, several, one] of statement.matchAll(/(?:\(([^()]{0,80})\)|(?<![\w$])\$*(\w[\w$]*))\s*=>/g))
        for (const name of (several ?? one ?? '').match(identifiers()) ?? []) holders.add(name)
    }
  return statements.some((statement) => holds(printing.exec(statement)?.[1] ?? ''))
}

/** A secret that code prints. */
type PrintedSecret = Pick<Impact, 'kind' | 'thing' | 'undo' | 'area' | 'names' | 'extent'> & {
  readonly object: string
}

/** Returns the secrets that code gets from a client library and prints. */
export function findPrintedSecrets(code: string): readonly PrintedSecret[] {
  const found = methods.find(([, , method]) => method.test(code) && isPrinted(code, method))
  if (found === undefined) return []
  const [area, object, method] = found
  const { 0: call = '', index = 0 } = method.exec(code) ?? {}
  const name = /^[^'"\n]{0,60}['"]([\w.:/ -]{1,60})['"]/.exec(code.slice(index + call.indexOf('(') + 1))?.[1]
  return [
    {
      kind: 'show',
      thing: 'secret',
      undo: 'work',
      area,
      object,
      names: name === undefined ? [] : [name],
      extent: 'unknown',
    },
  ]
}

/** What a command or a text of code shows of variables. */
export type ShownVariables = Pick<Impact, 'kind' | 'thing' | 'area' | 'undo' | 'names' | 'extent'> &
  Required<Pick<Impact, 'object' | 'instead'>>

const shown = { kind: 'show', thing: 'secret', area: 'environment', undo: 'work' } as const

/** Makes the impact of showing variables by their names. */
export const namedShown = (names: readonly string[]): ShownVariables => ({
  ...shown,
  object: 'secret variable',
  names,
  instead: 'use it where it is needed, without printing it',
  extent: names.length === 1 ? 'one' : 'some',
})

/** Makes the impact of showing all variables. */
export const allShown = (object = 'all variables'): ShownVariables => ({
  ...shown,
  object,
  names: [],
  instead: 'use only the one that is needed',
  extent: 'all',
})

/** A line that prints the key, token or password of an account. */
const printsKey =
  /\b(?:print|display|console\.\w+|puts)\s*\(?[^\n]{0,120}\.(?:secret_key|secret_access_key|client_secret|access_token|refresh_token|private_key|password)\b/

/** Returns what a text of code shows, wherever it runs: in a notebook, or by a tool. */
export function shownByCode(code: string): readonly (ShownVariables | PrintedSecret)[] {
  const names = [...new Set(showsVariables(code).filter(isSecretName))]
  return [
    ...(names.length === 0 ? [] : [namedShown(names)]),
    ...(showsEnvironment(code) ? [allShown()] : []),
    ...(printsKey.test(code) ? [{ ...namedShown([]), object: 'sign-in data', extent: 'unknown' } as const] : []),
    ...findPrintedSecrets(code),
  ]
}
