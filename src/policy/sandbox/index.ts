export { type PolicyRunner, type PolicyRunnerOptions, startPolicyRunner } from './host/runner.ts'
