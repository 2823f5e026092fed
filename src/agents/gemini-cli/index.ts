import type { AgentDescriptor } from '../descriptor.ts'
import { carries } from './carries.ts'

export const geminiCli: AgentDescriptor<'gemini-cli'> = {
  name: 'gemini-cli',
  title: 'Gemini CLI',
  carries,
}
