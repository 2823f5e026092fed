export type { ClientCall } from './client.ts'
export type { Client, ClientKind } from './client.ts'
export { chooseClient } from './choose-client.ts'
export { hookScript, gateStartEveryVariable } from './hook-script.ts'
