import type { AgentDescriptor } from '../descriptor.ts'
import { carries } from './carries.ts'

export const qwenCode: AgentDescriptor<'qwen-code'> = {
  name: 'qwen-code',
  title: 'Qwen Code',
  carries,
}
