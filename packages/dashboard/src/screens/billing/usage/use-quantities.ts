import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';

/** Small quantities keep their significant digits. */
const digitsOf = (value: number): number => (value === 0 || value >= 100 ? 0 : value >= 1 ? 2 : 6);

/** The texts of metered quantities, as the API counts them: MB, and MB-months for storage. */
export function useQuantities() {
  const words = useWords().billing;
  const format = useFormat();
  const number = (value: number): string => format.number(value, { maximumFractionDigits: digitsOf(value) });
  return {
    transfer: (megabytes: number): string => words.megabytes(number(megabytes)),
    storage: (megabyteMonths: number): string => words.megabyteMonths(number(megabyteMonths)),
  };
}
