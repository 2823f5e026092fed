export { type Facts, openFacts } from './facts.ts'
