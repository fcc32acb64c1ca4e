import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';

/** A smaller quantity is only shown as smaller. Exports have all digits. */
const LEAST = 0.01;

/** The texts of metered quantities, as the API counts them: MB, and MB-months for storage. */
export function useQuantities() {
  const words = useWords().billing;
  const format = useFormat();
  const number = (value: number): string => {
    if (value > 0 && value < LEAST) return `<\u00a0${format.number(LEAST)}`;
    return format.number(value, { maximumFractionDigits: value >= 100 ? 0 : 2 });
  };
  return {
    transfer: (megabytes: number): string => words.megabytes(number(megabytes)),
    storage: (megabyteMonths: number): string => words.megabyteMonths(number(megabyteMonths)),
  };
}
