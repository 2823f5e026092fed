export * from '../../src/policy.ts'
export { readOptions } from '../../src/model/options.ts'
