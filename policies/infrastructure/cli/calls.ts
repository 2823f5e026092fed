export { type Call, callsIn } from 'hookgate/policy'
