import type { AgentDescriptor } from '../descriptor.ts'
import { carries } from './carries.ts'

export const windsurf: AgentDescriptor<'windsurf'> = {
  name: 'windsurf',
  title: 'Windsurf',
  carries,
}
