import type { AgentDescriptor } from '../descriptor.ts'
import { carries } from './carries.ts'

export const codex: AgentDescriptor<'codex'> = {
  name: 'codex',
  title: 'Codex',
  carries,
}
