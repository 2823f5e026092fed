import type { AgentDescriptor } from '../descriptor.ts'
import { carries } from './carries.ts'

export const droid: AgentDescriptor<'droid'> = {
  name: 'droid',
  title: 'droid',
  carries,
}
