import { unwrapLimits } from '../../../model/limits.ts'
import type { OptionsRead } from '../../../words/options.ts'
import { type ShellWord, unknownWord } from '../../../model/shell.ts'
import { splitWords, changed } from '../words.ts'
import type { Starts } from '../starts.ts'

/** Returns the settings that the command line and environment give one run of git, by normalised name. */
export function gitSettings(read: OptionsRead, { variable, leftOut }: Starts): ReadonlyMap<string, ShellWord> {
  const settings = new Map<string, ShellWord>()
  const set = (name: string, value: ShellWord) => settings.set(normalised(name), value)
  for (const one of splitWords(variable('GIT_CONFIG_PARAMETERS')?.value ?? '')) {
    const [name, value] = cut(one)
    set(name, value)
  }
  const count = countOf(variable('GIT_CONFIG_COUNT'))
  if (count > unwrapLimits.gitSettingsMax) leftOut('it gives git more settings than are analyzed')
  for (let at = 0; at < Math.min(count, unwrapLimits.gitSettingsMax); at++) {
    const name = variable(`GIT_CONFIG_KEY_${at}`)
    if (name !== undefined) set(name.value, variable(`GIT_CONFIG_VALUE_${at}`) ?? unknownWord)
  }
  for (const one of read.values('c')) {
    const [name, value] = cut(one)
    set(name, value)
  }
  for (const one of read.values('config-env')) {
    const [name, value] = cut(one)
    set(name, variable(value.value) ?? unknownWord)
  }
  return settings
}

/** Parses `GIT_CONFIG_COUNT`. An unknown count is infinite, so that the limit applies. */
function countOf(word: ShellWord | undefined): number {
  if (word === undefined) return 0
  return word.unresolved === true ? Number.POSITIVE_INFINITY : Number.parseInt(word.value, 10) || 0
}

/** Splits `name=value`; a name alone has the value `true`. */
function cut(word: ShellWord): readonly [string, ShellWord] {
  const equals = word.value.indexOf('=')
  return equals === -1
    ? [word.value, { value: 'true' }]
    : [word.value.slice(0, equals), changed(word, word.value.slice(equals + 1))]
}

/** Lowercases the section and the key of a setting, but not the subsection between them, which is case-sensitive. */
const normalised = (name: string): string => {
  const [first, last] = [name.indexOf('.'), name.lastIndexOf('.')]
  if (first === -1) return name.toLowerCase()
  return name.slice(0, first).toLowerCase() + name.slice(first, last) + name.slice(last).toLowerCase()
}

/** Settings whose value git runs as a command. */
const starting: readonly RegExp[] = [
  /^core\.(?:sshcommand|pager|editor|askpass|gitproxy|fsmonitor|alternaterefscommand)$/,
  /^sequence\.editor$/,
  /^pager\..+$/,
  /^diff\.external$/,
  /^diff\..+\.(?:command|textconv)$/,
  /^(?:difftool|mergetool|browser|man)\..+\.cmd$/,
  /^merge\..+\.driver$/,
  /^filter\..+\.(?:clean|smudge|process)$/,
  /^interactive\.difffilter$/,
  /^gpg\.(?:.+\.)?(?:program|defaultkeycommand)$/,
  /^uploadpack\.packobjectshook$/,
  /^remote\..+\.(?:uploadpack|receivepack)$/,
  /^sendemail\..*(?:cmd|smtpserver)$/,
  /^trailer\..+\.(?:command|cmd)$/,
  /^(?:tar|imap)\..*(?:command|tunnel)$/,
]

/** Values that disable a setting, or are no command. */
const noCommand = /^(?:|true|false|yes|no|on|off|0|1)$/i

/**
 * Returns the scripts among the settings. Credential helpers and submodule updates are scripts if they begin with `!`.
 */
export function startingSettings(settings: ReadonlyMap<string, ShellWord>): readonly ShellWord[] {
  const scripts: ShellWord[] = []
  for (const [name, value] of settings) {
    if (noCommand.test(value.value)) continue
    if (starting.some((one) => one.test(name))) scripts.push(value)
    else if (/^credential\.(?:.+\.)?helper$/.test(name)) scripts.push(helper(value))
    else if (/^submodule\..+\.update$/.test(name) && value.value.startsWith('!'))
      scripts.push(changed(value, value.value.slice(1)))
  }
  return scripts
}

function helper(value: ShellWord): ShellWord {
  if (value.value.startsWith('!')) return changed(value, value.value.slice(1))
  return value.value.startsWith('/') ? value : changed(value, `git credential-${value.value}`)
}
