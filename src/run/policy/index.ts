export { type PolicyRunner, type PolicyRunnerOptions, startPolicyRunner } from './runner.ts'
