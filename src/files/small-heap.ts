/**
 * Options of Node for the gate and its sandbox, which live long and keep little: most of what an event allocates is
 * garbage when it is answered. By default V8 takes 16 MB for new objects, and lets a heap grow to several times what is
 * in use before it collects: a gate that has seen traffic then takes twice the memory, and is no faster (measured).
 */
export const smallHeap: readonly string[] = ['--max-semi-space-size=2', '--heap-growing-percent=20']
