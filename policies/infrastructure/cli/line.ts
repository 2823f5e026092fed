export { isOneOf, lineIn, type LooseLine as Line } from 'hookgate/policy'
