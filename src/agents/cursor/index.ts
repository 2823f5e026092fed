import type { AgentDescriptor } from '../descriptor.ts'
import { carries } from './carries.ts'

export const cursor: AgentDescriptor<'cursor'> = {
  name: 'cursor',
  title: 'Cursor',
  carries,
}
