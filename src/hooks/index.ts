export { type HookRunner, type HookRunnerOptions, loadHookRunner } from './runner.ts'
