import type { AgentDescriptor } from '../descriptor.ts'
import { carries } from './carries.ts'

export const copilotCli: AgentDescriptor<'copilot-cli'> = {
  name: 'copilot-cli',
  title: 'Copilot CLI',
  carries,
}
