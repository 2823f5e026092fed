import { signal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import type { AnswerOf, AskedOf } from '../../../api.ts'
import { useAnswer } from '../../fetch.ts'
import { project } from '../../location.ts'
import { CommandLine } from '../../parts/text.tsx'
import { counted } from '../../parts/counted.ts'
import { bytesText, run, start } from './run-state.ts'

type Sources = AnswerOf<'replaySources'>

/** Chooses calls and rules, and names the command that does the same. */
export function ReplayForm({ sources }: { readonly sources: Sources }): JSX.Element {
  const cwd = project.current.value
  const { asked, lacks } = readForm(
    choices.value,
    cwd,
    sources.agents.map(({ agent }) => agent),
  )
  function submit(event: Event): void {
    event.preventDefault()
    if (asked !== undefined && run.value.state !== 'running') void start(asked)
  }
  return (
    <form class="card replay-form" onSubmit={submit}>
      <div class="choices">
        <CallChoices sources={sources} />
        <RuleChoices presets={sources.presets} />
        <AgainstChoices />
      </div>
      {asked === undefined ? <p class="faint">{lacks}</p> : <ByHand asked={asked} />}
      <div class="row">
        <button class="main" type="submit" disabled={asked === undefined || run.value.state === 'running'}>
          Replay
        </button>
        <span class="faint">Nothing of a call is run or recorded, and hooks are not started.</span>
      </div>
    </form>
  )
}

function ByHand({ asked }: { readonly asked: NonNullable<ReturnType<typeof readForm>['asked']> }): JSX.Element | null {
  const [{ answer, state }] = useAnswer('replayLine', asked)
  if (state === 'failed') return <p class="faint">One of the values cannot be used: it is too long, or not known.</p>
  return answer === undefined ? null : (
    <div class="by-hand">
      <span class="faint">The same by hand:</span>
      <CommandLine line={answer.line} />
    </div>
  )
}

function CallChoices({ sources: { agents, isRecorded } }: { readonly sources: Sources }): JSX.Element {
  const { calls, without, since, isOfProject, paths } = choices.value
  return (
    <fieldset>
      <legend>Which calls</legend>
      <Choice of="calls" value="sessions">
        Sessions that agents keep
      </Choice>
      {calls === 'sessions' && (
        <ul class="agents">
          {agents.map(({ agent, title, files, bytes }) => (
            <li key={agent}>
              <label>
                <input
                  type="checkbox"
                  checked={!without.includes(agent)}
                  onChange={() =>
                    choose({
                      without: without.includes(agent) ? without.filter((one) => one !== agent) : [...without, agent],
                    })
                  }
                />
                <span>
                  {title}{' '}
                  <span class="faint">
                    {counted(files, 'file')}, {bytesText(bytes)}
                  </span>
                </span>
              </label>
            </li>
          ))}
          {agents.length === 0 && <li class="faint">None were found.</li>}
        </ul>
      )}
      <Choice of="calls" value="record" disabled={!isRecorded}>
        Decisions that hookgate recorded
      </Choice>
      <Choice of="calls" value="files">
        Files and folders
      </Choice>
      {calls === 'files' && (
        <Paths name="paths" label="Session files or folders, one a line" text={paths} hint="~/sessions" />
      )}
      <label class="field">
        Since
        <select value={since} onChange={(event) => choose({ since: event.currentTarget.value })}>
          {sinceWords.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <label>
        <input
          type="checkbox"
          checked={isOfProject}
          onChange={(event) => choose({ isOfProject: event.currentTarget.checked })}
        />
        <span>Only calls made in this project</span>
      </label>
    </fieldset>
  )
}

const sinceWords = [
  ['24h', 'yesterday'],
  ['7d', '7 days ago'],
  ['30d', '30 days ago'],
  ['90d', '90 days ago'],
  ['', 'the beginning'],
] as const

function RuleChoices({ presets }: { readonly presets: readonly string[] }): JSX.Element {
  const { rules, against, preset, rulesPaths } = choices.value
  return (
    <fieldset>
      <legend>By which rules</legend>
      <Choice of="rules" value="current">
        Those in force today
      </Choice>
      {rules === 'current' && against !== 'git' && (
        <p class="faint note">Your own, and those of the project in which a call was made</p>
      )}
      {rules === 'current' && against === 'git' && (
        <p class="faint note">Only those in .hookgate of this project, as its files are now</p>
      )}
      <Choice of="rules" value="preset">
        A preset, to try it
      </Choice>
      {rules === 'preset' && (
        <label class="field">
          Preset
          <select value={preset} onChange={(event) => choose({ preset: event.currentTarget.value })}>
            <option value="">Choose one</option>
            {presets.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <Choice of="rules" value="files">
        Rules files
      </Choice>
      {rules === 'files' && (
        <Paths name="rulesPaths" label="Rules files or folders, one a line" text={rulesPaths} hint=".hookgate" />
      )}
    </fieldset>
  )
}

function AgainstChoices(): JSX.Element {
  const { rules, against, againstPaths, revision } = choices.value
  return (
    <fieldset>
      <legend>Compared with</legend>
      <Choice of="against" value="nothing">
        Nothing
      </Choice>
      {rules !== 'current' && (
        <Choice of="against" value="current">
          The rules in force today
        </Choice>
      )}
      <Choice of="against" value="files">
        Rules files
      </Choice>
      {against === 'files' && (
        <Paths
          name="againstPaths"
          label="Rules files or folders, one a line"
          text={againstPaths}
          hint="old/hooks.json"
        />
      )}
      {rules !== 'preset' && (
        <Choice of="against" value="git">
          The project’s .hookgate at a git revision
        </Choice>
      )}
      {against === 'git' && (
        <label class="field">
          Revision
          <input
            class="mono"
            value={revision}
            spellcheck={false}
            onInput={(event) => choose({ revision: event.currentTarget.value })}
          />
        </label>
      )}
    </fieldset>
  )
}

function Choice<Of extends 'calls' | 'rules' | 'against'>({
  of,
  value,
  disabled = false,
  children,
}: {
  readonly of: Of
  readonly value: ReplayChoices[Of]
  readonly disabled?: boolean
  readonly children: ComponentChildren
}): JSX.Element {
  return (
    <label>
      <input
        type="radio"
        name={of}
        checked={choices.value[of] === value}
        disabled={disabled}
        onChange={() => choose({ [of]: value })}
      />
      <span>{children}</span>
    </label>
  )
}

function Paths({
  name,
  label,
  text,
  hint,
}: {
  readonly name: 'paths' | 'rulesPaths' | 'againstPaths'
  readonly label: string
  readonly text: string
  readonly hint: string
}): JSX.Element {
  return (
    <label class="field">
      {label}
      <textarea
        class="mono"
        rows={2}
        value={text}
        placeholder={hint}
        spellcheck={false}
        onInput={(event) => choose({ [name]: event.currentTarget.value })}
      />
    </label>
  )
}

/** The choices in the form, as written there. They stay while other views are open. */
interface ReplayChoices {
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
function readForm(form: ReplayChoices, cwd: string, known: readonly string[]): FormReading {
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
