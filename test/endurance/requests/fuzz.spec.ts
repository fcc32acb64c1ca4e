import { describeFuzz } from '../../suites/fuzz.suite';

// `npm run fuzz` sends more, each night.
describeFuzz(10);
