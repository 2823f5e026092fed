import type { ComponentChildren, JSX } from 'preact'
import type { AnswerOf } from '../../../api.ts'
import { CommandLine } from '../../parts/copy.tsx'
import { project } from '../../project.ts'
import { useAnswer } from '../../use-answer.ts'
import { choices, choose, readForm, type ReplayChoices } from './form-state.ts'
import { run, start } from './run-state.ts'
import { bytesText, counted } from './words.ts'

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
