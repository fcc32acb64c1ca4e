import { type PlanOfferResponse } from '@agate/client';
import { type Words } from '../../../words/words';

/** The features of a plan, in one line. */
export const featuresOf = (features: PlanOfferResponse['features'], words: Words['billing']): string =>
  [words.noFeatures, ...features.map((feature) => words.features[feature])].join(' · ');
