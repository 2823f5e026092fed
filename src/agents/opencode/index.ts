import type { AgentDescriptor } from '../descriptor.ts'
import { carries } from './carries.ts'

export const opencode: AgentDescriptor<'opencode'> = {
  name: 'opencode',
  title: 'OpenCode',
  carries,
  install: { kind: 'plugin', onlyBy: 'OpenCode uses a plugin' },
}
