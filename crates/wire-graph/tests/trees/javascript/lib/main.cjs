const { total } = require("./prices.js");

module.exports = function run() {
  return total([]);
};
