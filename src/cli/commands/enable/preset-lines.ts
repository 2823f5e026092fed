import { noPreset, presetByDefault, type PresetChoice } from '../../../changes/agents.ts'
import { presetNames } from '../../../files/policy-files.ts'
import { quoted } from '../../../model/text.ts'
import { shippedPreset } from '../../../rules/index.ts'
import { protectionLines } from '../../args/protection.ts'

/** Returns the question that asks a person which preset to turn on. */
export function presetQuestion(): string {
  const rows = sortedNames().map((name) => `  ${name.padEnd(12)} ${shippedPreset(name).description}\n`)
  const nothing = `  ${noPreset.padEnd(12)} Nothing is checked until you write rules\n`
  return `No rules are in force. Which preset should be turned on?\n${rows.join('')}${nothing}preset [${presetByDefault}]: `
}

/** Returns the names of all presets, the default first. */
const sortedNames = () =>
  presetNames().toSorted((a, b) => Number(b === presetByDefault) - Number(a === presetByDefault))

/** Returns lines that say which preset is on and what it would refuse, or that nothing is checked. */
export function presetLines(choice: PresetChoice, isDry: boolean): readonly string[] {
  const { preset, file } = choice
  if (preset === undefined) return protectionLines(choice)
  const { description, mode, refuses } = shippedPreset(preset)
  const observes = mode === 'observe'
  const verb = isDry ? 'would be turned on' : 'is on'
  return [
    `the preset ${quoted(preset)} ${verb}: ${description}`,
    observes ? '  it would report, and not refuse:' : '  it would refuse:',
    ...refuses.map((command) => `    ${command}`),
    `  \`hookgate packs ${preset}\` shows its rules; to change them, edit ${file}`,
  ]
}
