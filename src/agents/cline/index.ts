import type { AgentDescriptor } from '../descriptor.ts'

export const cline: AgentDescriptor<'cline'> = {
  name: 'cline',
  title: 'Cline',
  carries: {},
  install: { kind: 'hook-folders', onlyBy: 'Cline calls its hooks as files' },
}
