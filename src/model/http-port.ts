/** Default port for HTTP, of listeners and of clients: the one that older tools of this kind agreed on. */
export const httpPortUsual = 3043
