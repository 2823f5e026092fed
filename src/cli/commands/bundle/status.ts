import { bundlesFolder, pollStateIn } from '../../../bundle/machine/poll-state.ts'
import { homeFolder } from '../../../files/home-folder.ts'
import type { BundleInForce } from '../../../model/bundle-settings.ts'
import { printable } from '../../../model/text.ts'
import { bundleInForce } from '../../../rules/bundle-rules.ts'
import { placesFor } from '../../../rules/places.ts'
import { parseFlags } from '../../args/flags.ts'
import { ownPlaces } from '../../args/own-places.ts'
import { type CommandOutput, type Invocation, jsonText, printed } from '../../command.ts'
import { bundleLines } from '../../text/rule-lines.ts'

/** `hookgate bundle status`: what is in force on this machine, and how fresh it is. */
export async function bundleStatus({ argv, env, cwd }: Invocation): Promise<CommandOutput> {
  const { values } = parseFlags('bundle', argv, { json: { type: 'boolean' } })
  const stateFolder = ownPlaces(env).folder
  const places = placesFor({ env, cwd, home: homeFolder(env['HOME']), stateFolder })
  const inForce: BundleInForce | undefined = await bundleInForce(places)
  if (inForce === undefined) {
    const none = `this machine follows no channel: ${places.managedFolder}/hooks.json has no \`bundle\`\n`
    return printed(values.json === true ? jsonText(null, 2) : none)
  }
  const { state, settings } = inForce
  const last = pollStateIn(bundlesFolder(stateFolder))
  const exitCode = state.freshness === 'fresh' && state.problem === undefined ? 0 : 1
  if (values.json === true)
    return printed(jsonText({ ...state, url: settings.url, lastLook: last ?? null }, 2), exitCode)
  const text = [...bundleLines(state), `  server     ${settings.url}`, ...lookLines(last)]
  return printed(text.map((line) => `${printable(line)}\n`).join(''), exitCode)
}

function lookLines(last: ReturnType<typeof pollStateIn>): readonly string[] {
  if (last === undefined) return ['  last look  never: the resident gate looks, see `hookgate up`']
  const { checkedAt, problem, notes, activated } = last
  return [
    `  last look  ${checkedAt}${problem === undefined ? '' : `, failed: ${problem}`}`,
    ...(activated === undefined ? [] : [`  since      ${activated.at}`]),
    ...notes.map((note) => `  note       ${note}`),
  ]
}
