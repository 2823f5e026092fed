import type { Call } from '../../../words/calls.ts'
import type { Impact } from '../../../model/impact.ts'
import { lineIn } from '../../../words/loose-line.ts'
import { lineOf } from '../../../words/options.ts'
import { isUnchecked } from '../../../words/variables.ts'
import { makeImpact } from '../make-impact.ts'
import { uncheckedOption } from '../../programs/deeds/packages.ts'
import { deedsOf } from '../registry.ts'

/** Builtins that set variables for programs that the shell starts. */
const exporting = new Set(['export', 'declare', 'typeset'])

/**
 * Finds variables, settings of git and options of the system's package managers that turn off the checks of packages.
 * `withPackages` reads the options of other managers, since programs that they start have options of the same names.
 */
export function findWeakenedChecks(call: Call): readonly Impact[] {
  const names = [...variablesOf(call), ...gitSettingsOf(call), ...optionsOf(call)]
  return names.length === 0
    ? []
    : [
        makeImpact(call, lineIn(call, {}), {
          kind: 'weaken',
          thing: 'guard',
          area: 'packages',
          object: 'the check of packages',
          names,
          undo: 'never',
          words: names.join(' '),
          targets: { unchecked: names },
        }),
      ]
}

function variablesOf({ program, args, command }: Call): readonly string[] {
  const own = command.assignments.map(({ name, value }) => `${name}=${value.value}`)
  return [...own, ...(exporting.has(program) ? args.map(({ value }) => value) : [])].filter((text) =>
    isOff('variable', text),
  )
}

function gitSettingsOf({ program, command }: Call): readonly string[] {
  const line = program === 'git' ? lineOf(command) : undefined
  if (line === undefined) return []
  const once = line.globals.values('c').map(({ value }) => value)
  const [name, value] =
    line.subcommand === 'config' ? line.operands.filter((word) => !/^(?:set|--add)$/.test(word.value)) : []
  const kept = name === undefined ? [] : [`${name.value}=${value?.value ?? ''}`]
  return [...once, ...kept].filter((text) => isOff('setting', text))
}

const optionsOf = ({ program, args }: Call): readonly string[] =>
  deedsOf(program).some(({ area }) => area.name === 'system-packages')
    ? args.map(({ value }) => value).filter((text) => uncheckedOption.test(text))
    : []

function isOff(as: 'variable' | 'setting', text: string): boolean {
  const equals = text.indexOf('=')
  return equals !== -1 && isUnchecked(as, text.slice(0, equals), text.slice(equals + 1))
}
