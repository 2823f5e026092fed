import type { AgentDescriptor } from '../descriptor.ts'
import { carries } from './carries.ts'

export const vscode: AgentDescriptor<'vscode'> = {
  name: 'vscode',
  title: 'VS Code',
  carries,
}
