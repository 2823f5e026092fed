export { type HookRunner, startHookRunner } from './runner.ts'
