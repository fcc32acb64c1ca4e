/** Colours and patterns of the three meters, and the plain one. */
export type ChartTone = 'accent' | 'upload' | 'download' | 'storage';
