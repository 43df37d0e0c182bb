/** Epoch milliseconds as the API sends times: `YYYY-MM-DDTHH:MM:SS.mmmZ` (D4). */
export const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString()
