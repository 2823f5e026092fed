export { type HookRunner, type HookRunnerOptions, startHookRunner } from './runner.ts'
