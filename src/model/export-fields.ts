import { z } from 'zod'

/**
 * What is sent in place of a text. `masked`: the text, with the secrets that are recognised masked. `hash`: a keyed hash,
 * so that equal texts stay equal. `drop`: nothing.
 */
export const FieldTreatment = z.enum(['masked', 'hash', 'drop'])
export type FieldTreatment = z.infer<typeof FieldTreatment>

/** `fields` of an export. Each is `masked` unless it is said otherwise. */
export const FieldsEntry = z.strictObject({
  command: FieldTreatment.optional().describe('Shell commands, and what tools of MCP servers are called with.'),
  path: FieldTreatment.optional().describe('Files, project folders and working folders.'),
  url: FieldTreatment.optional().describe('Addresses that are fetched.'),
  user: FieldTreatment.optional().describe('The name of the account, wherever it stands.'),
  reason: FieldTreatment.optional().describe('Reasons, remarks and messages of rules, hooks and hookgate.'),
})
export type ExportFields = Readonly<z.infer<typeof FieldsEntry>>

const strictness: readonly FieldTreatment[] = ['masked', 'hash', 'drop']

/** Returns the strictest of some treatments. */
export const strictest = (...all: readonly FieldTreatment[]): FieldTreatment =>
  strictness[Math.max(...all.map((one) => strictness.indexOf(one)))] ?? 'drop'
