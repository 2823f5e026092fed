import { signal } from '@preact/signals'
import type { AskedOf } from '../../../api.ts'

/** The choices in the form, as written there. They stay while other views are open. */
export interface ReplayChoices {
  readonly calls: 'sessions' | 'record' | 'files'
  /** Agents that are left out. */
  readonly without: readonly string[]
  /** One path a line. */
  readonly paths: string
  /** A duration or date, as the command takes it; empty: any time. */
  readonly since: string
  readonly isOfProject: boolean
  readonly rules: 'current' | 'preset' | 'files'
  readonly preset: string
  readonly rulesPaths: string
  readonly against: 'nothing' | 'current' | 'files' | 'git'
  readonly againstPaths: string
  readonly revision: string
}

export const choices = signal<ReplayChoices>({
  calls: 'sessions',
  without: [],
  paths: '',
  since: '30d',
  isOfProject: false,
  rules: 'current',
  preset: '',
  rulesPaths: '',
  against: 'nothing',
  againstPaths: '',
  revision: 'HEAD',
})

/** Changes the form. Rules that are tried are compared with those in force, unless something else is chosen. */
export function choose(change: Partial<ReplayChoices>): void {
  const before = choices.value
  const next = { ...before, ...change }
  const isOther = change.rules !== undefined && change.rules !== before.rules
  const against = isOther ? (next.rules === 'current' ? 'nothing' : 'current') : next.against
  choices.value = { ...next, against }
}

/** The form as a request, or the sentence about what it lacks. */
type FormReading =
  | { readonly asked: AskedOf<'replay'>; readonly lacks?: undefined }
  | { readonly asked?: undefined; readonly lacks: string }

/** Reads the form. @param known the agents that have sessions */
export function readForm(form: ReplayChoices, cwd: string, known: readonly string[]): FormReading {
  const agents = known.filter((agent) => !form.without.includes(agent))
  if (form.calls === 'sessions' && known.length > 0 && agents.length === 0) return { lacks: 'Choose an agent.' }
  const [paths, rulesPaths, againstPaths] = [form.paths, form.rulesPaths, form.againstPaths].map(linesIn)
  if (form.calls === 'files' && paths?.length === 0) return { lacks: 'Name a session file or a folder.' }
  if (form.rules === 'files' && rulesPaths?.length === 0) return { lacks: 'Name a rules file or a folder.' }
  if (form.rules === 'preset' && form.preset === '') return { lacks: 'Choose a preset.' }
  if (form.against === 'files' && againstPaths?.length === 0) return { lacks: 'Name the rules to compare with.' }
  if (form.against === 'git' && form.revision.trim() === '') return { lacks: 'Name a revision to compare with.' }
  const asked: AskedOf<'replay'> = {
    cwd,
    isOfProject: form.isOfProject,
    ...(form.since !== '' && { since: form.since }),
    calls:
      form.calls === 'files'
        ? { kind: 'files', paths: paths ?? [] }
        : form.calls === 'record'
          ? { kind: 'record' }
          : // All of them need no names.
            { kind: 'sessions', agents: agents.length === known.length ? [] : agents },
    rules:
      form.rules === 'files'
        ? { kind: 'files', paths: rulesPaths ?? [] }
        : form.rules === 'preset'
          ? { kind: 'preset', name: form.preset }
          : { kind: 'current' },
    against:
      form.against === 'files'
        ? { kind: 'files', paths: againstPaths ?? [] }
        : form.against === 'git'
          ? { kind: 'git', revision: form.revision }
          : { kind: form.against },
  }
  return { asked }
}

const linesIn = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
