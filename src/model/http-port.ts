/** Where HTTP is listened to, and a listener is looked for, unless a port is named: what older tools of this kind agreed on. */
export const httpPortUsual = 3043
